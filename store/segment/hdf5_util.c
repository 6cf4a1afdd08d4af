#include "store/segment/hdf5_util.h"

#include "core/process/temporary_files.h"
#include "store/objects/segment_layout.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lock around all calls of HDF5. It is mostly held for microseconds, so a waiting thread spins
 * a little before it sleeps. */
static pthread_mutex_t mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

void hc_hdf5_lock(void)
{
    static bool prepared;
    static _Thread_local bool quiet;
    pthread_mutex_lock(&mutex);
    if (!prepared) {
        /* Everything is closed by us; and after a file that could not be closed, because the disk
         * was full, HDF5's cleaning up at exit would crash. */
        H5dont_atexit();
        prepared = true;
    }
    if (!quiet) { /* a thread-safe HDF5 has a stack of errors for each thread, and prints it */
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
        quiet = true;
    }
}

void hc_hdf5_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

/* ---- errors ---- */

static herr_t take_description(unsigned depth, const H5E_error2_t *error, void *context)
{
    if (depth == 0 && error->desc)
        snprintf(context, HC_ERROR_SIZE / 2, "%s", error->desc);
    return 0;
}

/* "file write failed: time = ..., errno = 28, error message = 'No space left on device', buf =
 * 0x..." becomes "file write failed: No space left on device". */
static void strip_details(char *why)
{
    static const char mark[] = "error message = '";
    char *reason = strstr(why, mark);
    char *head_end = strstr(why, ": ");
    if (!reason || !head_end || head_end > reason)
        return;
    reason += sizeof mark - 1;
    size_t length = strcspn(reason, "'");
    memmove(head_end + 2, reason, length);
    head_end[2 + length] = '\0';
}

enum hc_status hc_hdf5_fail(struct hc_error *err, enum hc_status status, const char *format, ...)
{
    char why[HC_ERROR_SIZE / 2] = "";
    char what[HC_ERROR_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_description, why);
    H5Eclear2(H5E_DEFAULT);
    strip_details(why);
    return hc_fail(err, status, "%s%s%s", what, *why ? ": " : "", why);
}

/* ---- files and groups ---- */

/* Readers and writers of the archive never share a file, so HDF5's own locks, which fail on some
 * network file systems, are off. */
static hid_t access_properties(void)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    if (fapl >= 0 && H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
        H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_file_locking(fapl, false, true) >= 0)
        return fapl;
    if (fapl >= 0)
        H5Pclose(fapl);
    return -1;
}

/* No times, for files that do not depend on when they are made. Links and attributes stay in object
 * headers, which have checksums and are what our reader reads; HDF5 would otherwise put more than
 * eight of them into heaps without any. */
static bool set_object_properties(hid_t properties)
{
    return H5Pset_obj_track_times(properties, false) >= 0 &&
           H5Pset_attr_phase_change(properties, HC_HDF5_MAX_COMPACT, 0) >= 0;
}

static bool set_group_properties(hid_t properties)
{
    return set_object_properties(properties) &&
           H5Pset_link_phase_change(properties, HC_HDF5_MAX_COMPACT, 0) >= 0;
}

/* Half of the least number of children of a node, where nodes are small. */
#define SMALL_NODE 2

hid_t hc_hdf5_create(const char *path, bool has_small_nodes, struct hc_error *err)
{
    hid_t file = -1, fapl = access_properties(), fcpl = H5Pcreate(H5P_FILE_CREATE);
    if (fapl >= 0 && fcpl >= 0 && set_group_properties(fcpl) &&
        (!has_small_nodes || H5Pset_istore_k(fcpl, SMALL_NODE) >= 0)) {
        /* The file has its name already, and HDF5 opens it by that: a signal that another thread
         * takes would remove the file, and this call make it again. */
        hc_temporary_hold();
        file = H5Fcreate(path, H5F_ACC_TRUNC, fcpl, fapl);
        int made_errno = errno;
        hc_temporary_release();
        errno = made_errno;
    }
    if (file < 0)
        hc_hdf5_fail(err, HC_IO, "cannot create '%s'", path);
    if (fcpl >= 0)
        H5Pclose(fcpl);
    if (fapl >= 0)
        H5Pclose(fapl);
    return file;
}

static bool set_link_room(hid_t properties, const struct hc_link_room *room)
{
    return !room || room->n == 0 || room->n > HC_HDF5_MAX_COMPACT ||
           H5Pset_est_link_info(properties, (unsigned)room->n,
                                (unsigned)((room->name_bytes + room->n - 1) / room->n)) >= 0;
}

hid_t hc_hdf5_create_group(hid_t parent, const char *name, const struct hc_link_room *room,
                           struct hc_error *err)
{
    hid_t group = -1, gcpl = H5Pcreate(H5P_GROUP_CREATE);
    if (gcpl >= 0 && set_group_properties(gcpl) && set_link_room(gcpl, room))
        group = H5Gcreate2(parent, name, H5P_DEFAULT, gcpl, H5P_DEFAULT);
    if (group < 0)
        hc_hdf5_fail(err, HC_IO, "cannot create group '%s'", name);
    if (gcpl >= 0)
        H5Pclose(gcpl);
    return group;
}

static hid_t make_text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    if (type >= 0)
        H5Tclose(type);
    return -1;
}

/* What is made with a type has a copy of it. */
hid_t hc_hdf5_text_type(size_t length)
{
    static hid_t type = -1;
    if (type < 0)
        type = make_text_type();
    return type >= 0 && H5Tset_size(type, length ? length : 1) >= 0 ? type : -1;
}

/* ---- attributes ---- */

enum hc_status hc_attribute_write(hid_t object, const char *name, hid_t type, hid_t memory_type,
                                  const void *value, struct hc_error *err)
{
    static hid_t space = -1;
    hid_t attribute = -1;
    enum hc_status status = HC_OK;
    if (space < 0)
        space = H5Screate(H5S_SCALAR);
    if (space >= 0)
        attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, memory_type, value) < 0)
        status = hc_hdf5_fail(err, HC_IO, "cannot write attribute '%s'", name);
    if (attribute >= 0)
        H5Aclose(attribute);
    return status;
}

enum hc_status hc_attribute_write_text(hid_t object, const char *name, const char *text,
                                       struct hc_error *err)
{
    size_t length = strlen(text);
    if (length > HC_TEXT_MAX)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%.60s...' is %zu bytes long, more than the %d that %s may have", text,
                       length, HC_TEXT_MAX, name);
    hid_t type = hc_hdf5_text_type(length);
    if (type < 0)
        return hc_hdf5_fail(err, HC_IO, "cannot write attribute '%s'", name);
    return hc_attribute_write(object, name, type, type, text, err);
}

enum hc_status hc_attribute_write_int(hid_t object, const char *name, hid_t type, int64_t value,
                                      struct hc_error *err)
{
    return hc_attribute_write(object, name, type, H5T_NATIVE_INT64, &value, err);
}
