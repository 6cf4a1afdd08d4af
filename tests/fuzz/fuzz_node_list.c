/* Any bytes as a list of nodes: as many names as were counted, none empty or too long; what is
 * refused says where. A name that is read out is a list of itself. */
#include "core/text/node_list.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_node_list_reader reader, single;
    struct hc_error err = {0};
    /* An own block, so that reads behind it are seen. */
    char *text = malloc(size ? size : 1);
    require(text);
    memcpy(text, data, size);
    if (hc_node_list_open(&reader, text, size, &err)) {
        require(err.status == HC_BAD_INPUT && strncmp(err.message, "byte ", 5) == 0);
    } else {
        int64_t n = 0, most = reader.n_nodes < 5000 ? reader.n_nodes : 5000;
        require(reader.n_nodes > 0 && reader.n_nodes <= HC_NODE_LIST_MOST);
        for (; n < most; n++) {
            const char *name = hc_node_list_next(&reader);
            require(name && *name && strlen(name) <= HC_NODE_NAME_MOST);
            require(hc_node_list_open(&single, name, strlen(name), &err) == HC_OK);
            require(single.n_nodes == 1 && strcmp(hc_node_list_next(&single), name) == 0);
        }
        require(most < reader.n_nodes || !hc_node_list_next(&reader));
    }
    free(text);
    return 0;
}
