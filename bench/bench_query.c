/* Rows of a table of records by groups, over two columns of 32 bits: what reading the segments
 * costs (hc_record_scan_run) and the figures of the groups, in memory as `hindcast query` has them.
 */
