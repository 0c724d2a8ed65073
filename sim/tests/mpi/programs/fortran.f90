! fortran.f90 - calls from Fortran, whose results are checked: it prints "right"
! SPDX-License-Identifier: GPL-3.0-or-later
program fortran
    use mpi
    implicit none
    integer, parameter :: n_most = 64
    integer :: e, me, n, next, last, i, which, given, comm, group, wrong, sum_wrong
    integer :: requests(2), places(2), statuses(MPI_STATUS_SIZE, 2), status(MPI_STATUS_SIZE)
    integer, volatile :: mine(n_most), theirs(n_most), value ! changed while calls go on
    integer :: seen
    logical :: flag
    call MPI_Init(e)
    call MPI_Comm_rank(MPI_COMM_WORLD, me, e)
    call MPI_Comm_size(MPI_COMM_WORLD, n, e)
    next = mod(me + 1, n)
    last = mod(me + n - 1, n)
    wrong = 0

    ! round the ring, in place
    value = me
    call MPI_Sendrecv_replace(value, 1, MPI_INTEGER, next, 1, last, 1, MPI_COMM_WORLD, status, e)
    if (value /= last .or. status(MPI_SOURCE) /= last) wrong = wrong + 1

    ! some at a time: the places count from 1
    mine(1) = 10 * me
    call MPI_Irecv(value, 1, MPI_INTEGER, last, 2, MPI_COMM_WORLD, requests(1), e)
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(2), e)
    call MPI_Send(mine, 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD, e)
    seen = 0
    do while (seen < 2)
        call MPI_Waitsome(2, requests, given, places, statuses, e)
        do i = 1, given
            if (places(i) < 1 .or. places(i) > 2) wrong = wrong + 1
            if (places(i) == 1 .and. statuses(MPI_TAG, i) /= 2) wrong = wrong + 1
        end do
        seen = seen + given
    end do
    if (value /= 10 * last) wrong = wrong + 1
    call MPI_Waitsome(2, requests, given, places, statuses, e)
    if (given /= MPI_UNDEFINED) wrong = wrong + 1

    ! persistent, tested until any and until some are complete
    call MPI_Recv_init(value, 1, MPI_INTEGER, last, 3, MPI_COMM_WORLD, requests(1), e)
    call MPI_Ssend_init(mine, 1, MPI_INTEGER, next, 3, MPI_COMM_WORLD, requests(2), e)
    do i = 1, 2
        mine(1) = 100 * me + i
        call MPI_Startall(2, requests, e)
        seen = 0
        do while (seen < 2)
            if (i == 1) then
                call MPI_Testany(2, requests, which, flag, status, e)
                if (flag) seen = seen + 1
                if (flag .and. which == 1 .and. status(MPI_TAG) /= 3) wrong = wrong + 1
            else
                call MPI_Testsome(2, requests, given, places, statuses, e)
                seen = seen + given
            end if
        end do
        if (value /= 100 * last + i) wrong = wrong + 1
    end do
    call MPI_Request_free(requests(1), e)
    call MPI_Request_free(requests(2), e)

    ! collective operations that do not block, in place and not
    value = me + 1
    call MPI_Iallreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), e)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, e)
    if (value /= n * (n + 1) / 2) wrong = wrong + 1
    value = me
    call MPI_Ibcast(value, 1, MPI_INTEGER, n - 1, MPI_COMM_WORLD, requests(1), e)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, e)
    if (value /= n - 1) wrong = wrong + 1
    mine(1:n) = [(1000 * me + i, i = 0, n - 1)]
    call MPI_Ialltoall(mine, 1, MPI_INTEGER, theirs, 1, MPI_INTEGER, MPI_COMM_WORLD, requests(1), e)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, e)
    if (any(theirs(1:n) /= [(1000 * i + me, i = 0, n - 1)])) wrong = wrong + 1
    mine(1:n) = [(i, i = 0, n - 1)]
    call MPI_Reduce_scatter_block(mine, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
    if (value /= n * me) wrong = wrong + 1

    ! communicators, and a receive that nothing matches
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, comm, e)
    call MPI_Barrier(comm, e)
    call MPI_Comm_free(comm, e)
    call MPI_Comm_group(MPI_COMM_WORLD, group, e)
    call MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, comm, e)
    call MPI_Allreduce(1, value, 1, MPI_INTEGER, MPI_SUM, comm, e)
    if (value /= n) wrong = wrong + 1
    call MPI_Irecv(value, 1, MPI_INTEGER, me, 9, comm, requests(1), e)
    call MPI_Cancel(requests(1), e)
    call MPI_Wait(requests(1), status, e)
    call MPI_Test_cancelled(status, flag, e)
    if (.not. flag) wrong = wrong + 1

    call MPI_Reduce(wrong, sum_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, e)
    if (me == 0 .and. sum_wrong == 0) print '(a)', 'right'
    call MPI_Finalize(e)
end program fortran
