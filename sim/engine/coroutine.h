/* coroutine.h - a function that can be left in its middle and gone on with later.
 *
 * For a model that reads best as one thing after another (a job starts, runs, stops, recovers), but
 * must let others go first at some points: the model stays as it is, and yields at these points. A
 * coroutine has a stack of its own and runs on the thread that resumes it. On a thread only one
 * coroutine runs at a time: nothing is concurrent, and no locks are needed.
 *
 *     routine = hc_coroutine_new(&err);
 *     hc_coroutine_start(routine, body, context);
 *     while (hc_coroutine_resume(routine))
 *         ...;                                     body has yielded
 *     hc_coroutine_free(routine);
 */
#ifndef HC_SIM_ENGINE_COROUTINE_H
#define HC_SIM_ENGINE_COROUTINE_H

#include "core/base/status.h"

#include <stdbool.h>

struct hc_coroutine;
typedef void hc_coroutine_body(void *context);

/* A stack for bodies to run on, one after another; NULL with err filled. */
struct hc_coroutine *hc_coroutine_new(struct hc_error *err);

/* Every body that was resumed must have ended. NULL is allowed. */
void hc_coroutine_free(struct hc_coroutine *coroutine);

/* The next resume begins body(context). The body before it must have ended. */
void hc_coroutine_start(struct hc_coroutine *coroutine, hc_coroutine_body *body, void *context);

/* Run the body until it yields (true) or ends (false). */
bool hc_coroutine_resume(struct hc_coroutine *coroutine);

/* From within the body: back to whoever resumed it, until it is resumed again. */
void hc_coroutine_yield(struct hc_coroutine *coroutine);

#endif
