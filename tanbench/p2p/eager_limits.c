/* eager_limits.c - eager limits from the MPI library's tool interface
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/p2p.h"

#include <mpi.h>
#include <stdbool.h>
#include <string.h>

/* Names such as "btl_tcp_eager_limit" or "MPIR_CVAR_CH4_..._EAGER_MAX_MSG_SIZE". */
static bool is_limit(const char *name)
{
    static const char *const parts[] = {"eager_limit", "eager_max_msg_size", "eager_threshold",
                                        "eager_max_size"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strcasestr(name, parts[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* The value of an integer variable; -1 for other types. */
static long long read_number(int index, MPI_Datatype type)
{
    union {
        int i;
        unsigned u;
        unsigned long ul;
        unsigned long long ull;
    } value = {.ull = 0};
    const bool number = type == MPI_INT || type == MPI_UNSIGNED || type == MPI_UNSIGNED_LONG ||
                        type == MPI_UNSIGNED_LONG_LONG;
    MPI_T_cvar_handle handle;
    int count;
    if (!number || MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS) {
        return -1;
    }
    const bool known = count == 1 && MPI_T_cvar_read(handle, &value) == MPI_SUCCESS;
    MPI_T_cvar_handle_free(&handle);
    return !known                      ? -1
           : type == MPI_INT           ? value.i
           : type == MPI_UNSIGNED      ? (long long)value.u
           : type == MPI_UNSIGNED_LONG ? (long long)value.ul
                                       : (long long)value.ull;
}

json_t *p2p_limits(void)
{
    json_t *limits = json_object();
    int provided;
    int n = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
        return limits;
    }
    MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n; i++) {
        char name[256] = "";
        int name_length = sizeof name;
        int verbosity;
        int bind;
        int scope;
        MPI_Datatype type;
        MPI_T_enum enumeration;
        if (MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &enumeration, NULL, NULL,
                                &bind, &scope) != MPI_SUCCESS ||
            bind != MPI_T_BIND_NO_OBJECT || !is_limit(name)) {
            continue;
        }
        const long long value = read_number(i, type);
        if (value >= 0) {
            json_object_set_new(limits, name, json_integer(value));
        }
    }
    MPI_T_finalize();
    return limits;
}
