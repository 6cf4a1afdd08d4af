/* profile_loader.h - profiler traces of ../shared/data (or the same below HINDCAST_SHARED) in
 * memory, for tests of what is made of them.
 *
 *     struct hc_profile profile;
 *     profile_load_begin(&profile);
 *     profile_load(&profile, "chakra-param/dlrm_kineto.tar.gz");   // every file in it
 *     hc_profile_link(&profile, ...);
 *     hc_profile_fini(&profile);
 *
 * What cannot be read ends the program with a message.
 */
#ifndef HC_TESTS_SUPPORT_PROFILE_LOADER_H
#define HC_TESTS_SUPPORT_PROFILE_LOADER_H

#include "models/profiles/profile.h"

/* Whether the data set is not at hand; says so. A test program then exits with 77. */
bool shared_profiles_are_missing(void);

void profile_load_begin(struct hc_profile *profile);

/* Add the ranks of a Kineto trace, or of each member of a tar archive of such. */
void profile_load(struct hc_profile *profile, const char *file);

/* Take a rank out again, as if it had no trace. */
void profile_without(struct hc_profile *profile, int32_t rank);

#endif
