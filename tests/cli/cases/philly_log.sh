# The Philly trace: attempts of jobs, in local times, as rows; what is not known, and what is wrong.
cat >cluster_job_log.json <<'END'
[
  {"status": "Pass", "vc": "6214e9", "jobid": "application_1506638472019_10258", "user": "u1",
   "attempts": [
     {"start_time": "2017-10-09 07:02:00", "end_time": "2017-10-09 08:00:00",
      "detail": [{"ip": "m1", "gpus": ["gpu0", "gpu1"]}, {"ip": "m2", "gpus": ["gpu4"]}]},
     {"start_time": "2017-10-09 08:00:30", "end_time": "None",
      "detail": [{"ip": "m7", "gpus": ["gpu0", "gpu1", "gpu2"]}]},
     {"start_time": "2017-10-09 09:00:00", "end_time": "2017-10-09 10:00:00",
      "detail": [{"ip": "m7", "gpus": ["gpu0", "gpu1", "gpu2"]}]}],
   "submitted_time": "2017-10-09 07:01:55"},
  {"status": "Killed", "vc": "6214e9", "jobid": "application_1506638472019_10259", "user": "u2",
   "attempts": [], "submitted_time": "2017-12-09 07:01:55"},
  {"status": "Failed", "vc": null, "jobid": "application_1506638472019_10260", "user": "u2",
   "attempts": [{"start_time": "2017-12-09 07:01:55", "end_time": "2017-12-09 07:00:00", "detail": []}],
   "submitted_time": "2017-12-09 07:01:55"},
  {"status": "Failed", "jobid": "job 7", "attempts": [], "submitted_time": "2017-12-09 07:01:55"},
  {"status": "Failed", "jobid": "application_1506638472019_10261", "attempts": [], "submitted_time": "None"},
  {"status": "Odd", "jobid": "application_1506638472019_10262", "submitted_time": "2017-12-09 07:01:55", "more": {}}
]
END
hindcast ingest -q --max-bad 0.9 --zone America/Los_Angeles cluster_job_log.json
hindcast query jobs --columns raw_job,restarts,submit_ns,start_ns,end_ns,elapsed_ns,state,gpus,nodes,node_list
hindcast query jobs --columns job,name,user,partition,line
hindcast ingest -q -a utc --max-bad 0.9 cluster_job_log.json
head -c 900 cluster_job_log.json >cut.json
hindcast ingest -q -a cut cut.json
