/* collective_op.h - names of collective operations, one for each whatever library spelled it.
 *
 * PyTorch alone writes all_gather as allgather, _allgather_base, all_gather_into_tensor,
 * allgather_into_tensor_coalesced and ALLGATHER. To compare what ranks did, all of them are
 * "all_gather".
 */
#ifndef HC_CORE_TEXT_COLLECTIVE_OP_H
#define HC_CORE_TEXT_COLLECTIVE_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_COLLECTIVE_OP 64 /* bytes of the longest, with its NUL */

/* Write the canonical name of an operation: all_reduce, all_gather, reduce_scatter, all_to_all,
 * broadcast, reduce, gather, scatter, send, recv, barrier, wait, coalesced. What is none of these
 * keeps its text, in lower case and cut to fit. A leading "nccl:" is dropped, and so are the ranks
 * of "send 0->3". */
void hc_collective_op(char canonical[HC_COLLECTIVE_OP], const char *text, size_t length);

/* Whether an operation of that canonical name is between two ranks. */
bool hc_collective_op_is_p2p(const char *canonical);

/* Whether no member of an operation of that canonical name can end before the last has begun. */
bool hc_collective_op_is_joint(const char *canonical);

/* Bytes that a bus carries for each byte of an operation of that canonical name among n ranks, as
 * nccl-tests counts them (its doc/PERFORMANCE.md): bus bandwidth over algorithm bandwidth. */
double hc_collective_bus_factor(const char *canonical, int64_t n);

#endif
