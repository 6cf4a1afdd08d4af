/* wait_policy.h - threads of OpenMP sleep while they wait, without the user saying so.
 *
 * Between two parallel regions, and at the end of one, threads of libgomp spin for some
 * milliseconds before they sleep. On cores that are shared with others that time is taken from
 * them, and from the thread that is waited for. OMP_WAIT_POLICY=passive turns it off, but the
 * library reads it when it is loaded, before main, and has no function for it.
 *
 * So the variable is put into the environment before that: the dynamic linker runs the function of
 * this file (.preinit_array) ahead of the constructors of all libraries. Nothing can be appended to
 * the environment there; one variable, which no constructor looks at, stands back for it until
 * main. Where OMP_WAIT_POLICY or GOMP_SPINCOUNT is set, or the environment has no such variable,
 * all stays as it is; so it does on systems without .preinit_array.
 */
#ifndef HC_CORE_PROCESS_WAIT_POLICY_H
#define HC_CORE_PROCESS_WAIT_POLICY_H

/* Give the environment back as the process got it. Call it first in main: a program that calls it
 * has threads that sleep. */
void hc_wait_policy_end(void);

#endif
