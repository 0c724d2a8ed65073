/* calls.h - macros for the rows of traced calls
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row consists of name, parameters, arguments, what is inspected before the call, and the fields
 * of its line, in the order of the parameters. */
#ifndef TAN_SIM_TRACER_CALLS_H
#define TAN_SIM_TRACER_CALLS_H

#include <mpi.h>

#include "sim/tracer/comms.h"
#include "sim/tracer/record.h"
#include "sim/tracer/requests.h"

#define UNPACK(...) __VA_ARGS__
#define CALL(name, parameters, arguments, before, fields)                                          \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        struct call c;                                                                             \
        UNPACK before record_begin(&c, "MPI_" #name);                                              \
        const int result = PMPI_##name arguments;                                                  \
        if (record_returned(&c, result)) {                                                         \
            UNPACK fields record_end(&c);                                                          \
        }                                                                                          \
        return result;                                                                             \
    }
#define RANK(x) record_rank(x, comm);
#define TAG(x)  record_tag(x);
/* A test: if nothing completes it is only counted and gets no line. */
#define TEST(name, parameters, arguments, before, found, fields)                                   \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        struct call c;                                                                             \
        UNPACK before record_begin(&c, "MPI_" #name);                                              \
        const int result = PMPI_##name arguments;                                                  \
        if (record_tested(&c, result, record_happened(result) && (found))) {                       \
            UNPACK fields record_end(&c);                                                          \
        }                                                                                          \
        return result;                                                                             \
    }
#define POINTER(x) record_unused();
#define ADDRESS(x) record_address((const void *)(uintptr_t)(x));
#define NUMBER(x)  record_number(x);
#define TYPE(x)    record_type(x);
#define COMM(x)    record_comm_of(x, false);
#define ALL(x)     record_comm_of(x, true);
#define END        record_finish(&c);
#define NOTHING    ()
#define REQUEST    requests_new(request, false);
#define PERSISTENT requests_new(request, true);
/* Record the status even if the caller ignores it. */
#define STATUS (MPI_Status own; status = status == MPI_STATUS_IGNORE ? &own : status;)
/* A call whose line consists of name and times only. */
#define BY_NAME(name, parameters, arguments) CALL(name, parameters, arguments, NOTHING, (END))

#endif
