# Tables of jobs made of the Philly trace: by their headers; what is wrong of them.
printf '%s\r\n' timestamp,duration,num_gpus,gpu_time,cluster '2017-10-09 07:01:55,66.5,4,266.0,11cb48' \
    '2017-10-09 07:01:55,66.5,4,266.0,11cb48' '2017-10-09 07:01,66.5,4,266.0,11cb48' \
    '2017-10-09 07:01:55,nan,4,266.0,11cb48' '2017-10-09 07:01:55,66.5,4' '' >philly.csv
hindcast ingest -q -o - --max-bad 0.9 --zone America/Los_Angeles philly.csv
hindcast query jobs --columns job,submit_ns,elapsed_ns,gpus,partition,line
cat >job.csv <<'END'
time,job_id,num_gpu,submit_time,start_time,end_time,executed_time,real_executed_time,JCT,duration,pending_time,job_counter,promote
2163.5,1,8,1534.0,1800.25,2163.5,363.25,363.25,629.5,281.0,266.25,1,0
END
hindcast ingest -q -o - -a muri job.csv
hindcast query jobs -a muri --columns job,submit_ns,start_ns,end_ns,elapsed_ns,gpus,state
head -c 150 job.csv | tr 'j' 'k' >other.csv
hindcast ingest -q -o - -a muri --format philly-csv other.csv
