# Lines that tell of failures, of other versions and frameworks.
cat >lines.out <<'END'
[E ProcessGroupNCCL.cpp:474] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=100, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600123 milliseconds before timing out.
[rank3]:[E502 12:34:56.789012345 ProcessGroupNCCL.cpp:563] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=100, OpType=_ALLGATHER_BASE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800123 milliseconds before timing out.
[rank3]:[E502 12:34:56.789012345 ProcessGroupNCCL.cpp:629] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=COALESCED, NumelIn=18446744073709551615, NumelOut=18446744073709551615, Timeout(ms)=600000) ran for 600005 milliseconds before timing out.
[rank0]:[E1125 08:00:00.123456789 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600005 milliseconds before timing out.
[E ProcessGroupNCCL.cpp:587] [Rank 2] Watchdog caught collective operation timeout: WorkNCCL(OpType=ALLREDUCE, TensorShape=[1], Timeout(ms)=1800000) ran for 1807908 milliseconds before timing out.
[E ProcessGroupNCCL.cpp:566] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(OpType=BROADCAST, Timeout(ms)=1800000) ran for 1806180 milliseconds before timing out.
[rank7]:[E ProcessGroupNCCL.cpp:1182] [Rank 7] NCCL watchdog thread terminated with exception: NCCL error: remote process exited or there was a network error, NCCL version 2.18.1
[rank7]:[E1125 08:00:00.123456789 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank 7] Exception (either an error or timeout) detected by watchdog at work: 7, last enqueued NCCL work: 8, last completed NCCL work: 6.
[rank7]:[E1125 08:00:00.1 ProcessGroupNCCL.cpp:1595] [PG ID 0 PG GUID 0 Rank 7] Process group watchdog thread terminated with exception: [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600005 milliseconds before timing out.
[rank1]:[F1125 08:00:00.1 ProcessGroupNCCL.cpp:1557] [PG ID 0 PG GUID 0(default_pg) Rank 1] [PG ID 0 PG GUID 0(default_pg) Rank 1] Terminating the process after attempting to dump debug info, due to collective timeout or exception.
[rank1]:[E1125 08:00:00.1 ProcessGroupNCCL.cpp:1375] [PG ID 0 PG GUID 0(default_pg) Rank 1] First PG on this rank that detected no heartbeat of its watchdog.
[rank1]:[E1125 08:00:00.1 ProcessGroupNCCL.cpp:1413] [PG ID 0 PG GUID 0(default_pg) Rank 1] Heartbeat monitor timed out! Process will be terminated after dumping debug info. workMetaList_.size()=3
terminate called after throwing an instance of 'c10::DistBackendError'
terminate called after throwing an instance of 'std::runtime_error'
n01:1234:1300 [0] NCCL WARN NET/IB : Got completion from peer 10.0.0.1<1234> with status=12 opcode=0 len=0 vendor err 129 (Recv) localGid ::ffff:10.0.0.2
n01:1234:1300 [0] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got async event : port error
[2025-11-25 08:00:00] n01:1234:1300 [0] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer n02<45678>
n01:1234:1300 [0] include/alloc.h:185 NCCL WARN Cuda failure 2 'out of memory'
n01:1234:1300 [3] init.cc:1800 NCCL WARN Duplicate GPU detected : rank 3 and rank 2 both on CUDA device 1a000
ncclInternalError: Internal check failed.
ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.
ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.
torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1333, remote process exited or there was a network error, NCCL version 2.19.3
torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:268, unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.18.1
RuntimeError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:825, unhandled cuda error, NCCL version 2.7.8
RuntimeError: CUDA error: uncorrectable ECC error encountered
RuntimeError: CUDA error: device-side assert triggered
RuntimeError: CUDA error: an illegal memory access was encountered
torch.AcceleratorError: CUDA error: an illegal memory access was encountered
torch.AcceleratorError: CUDA error: uncorrectable ECC error encountered
RuntimeError: CUDA error: the launch timed out and was terminated
RuntimeError: CUDA error: unspecified launch failure
RuntimeError: CUDA error: misaligned address
RuntimeError: CUDA error: no kernel image is available for execution on the device
RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable
RuntimeError: CUDA error: initialization error
RuntimeError: CUDA error: CUDA-capable device(s) is/are busy or unavailable
RuntimeError: CUDA error: invalid device ordinal
RuntimeError: CUDA error: uncorrectable NVLink error detected during the execution
RuntimeError: CUDA error: Invalid access of peer GPU memory over nvlink or a hardware error
RuntimeError: CUDA error: unknown error
RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx( handle, opa)`
RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED
RuntimeError: No CUDA GPUs are available
RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 802: system not yet initialized
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.10 GiB of which 1.00 GiB is free.
torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 79.35 GiB total capacity; 70.00 GiB already allocated)
RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 15.90 GiB total capacity)
RuntimeError: HIP error: an illegal memory access was encountered
RuntimeError: HIP error: out of memory
torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 191.98 GiB
Memory access fault by GPU node-4 (Agent handle: 0x55) on address 0x7f. Reason: Page not present or supervisor privilege.
n01:1234:1300 [0] /src/rccl/misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer n02<45678>
jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 123 bytes.
jaxlib.xla_extension.XlaRuntimeError: INTERNAL: Failed to execute XLA Runtime executable: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered
jax.errors.JaxRuntimeError: UNAVAILABLE: The following tasks are unhealthy
E1125 08:00:00.123456 1234 coordination_service_agent.cc:255] Polled an error from coordination service
slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2025-11-25T08:00:00 DUE TO TIME LIMIT ***
slurmstepd: error: *** STEP 123.0 ON n1 CANCELLED AT 2025-11-25T08:00:00 DUE TO TIME LIMIT ***
slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2025-11-25T08:00:00 DUE TO PREEMPTION ***
slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2025-11-25T08:00:00 DUE TO JOB REQUEUE ***
slurmstepd: error: *** STEP 123.batch ON n1 CANCELLED AT 2025-11-25T08:00:00 ***
slurmstepd-n1: error: *** STEP 123.0 ON n1 CANCELLED AT 2025-11-25T08:00:00 ***
slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2025-11-25T08:00:00 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***
slurmstepd: error: *** JOB 123 STEPD TERMINATED ON n1 AT 2025-11-25T08:00:00 DUE TO JOB NOT ENDING WITH SIGNALS ***
srun: error: n1: task 3: Out Of Memory
srun: error: n1: task 3: Killed
srun: error: n1: tasks 0-7: Killed
srun: error: n1: task 3: Segmentation fault (core dumped)
srun: error: n1: task 3: Segmentation fault
srun: error: n1: task 3: Exited with exit code 1
srun: error: n1: tasks 0-3,5: Exited with exit code 1
srun: error: n1: task 3: Aborted (core dumped)
srun: error: n1: task 3: Bus error
srun: error: n1: task 3: Terminated
srun: error: n1: task 3: Floating point exception
srun: error: Node failure on n2
srun: error: Timed out waiting for job step to complete
srun: Job step aborted: Waiting up to 32 seconds for job step to finish.
srun: error: Unable to create step for job 123: Invalid generic resource (gres) specification
srun: Force Terminated StepId=123.0
srun: Terminating StepId=123.0
slurmstepd: error: Detected 1 oom_kill event in StepId=123.0. Some of the step tasks have been OOM Killed.
slurmstepd: error: Detected 2 oom_kill events in StepId=123.batch. Some of the step tasks have been OOM Killed.
slurmstepd: error: Detected 1 oom-kill event(s) in StepId=123.0 cgroup. Some of your processes may have been killed by the cgroup out-of-memory handler.
slurmstepd: error: Exceeded step memory limit at some point.
slurmstepd: error: Step 123.0 exceeded memory limit (1234 > 1000), being killed
slurmstepd-n01: error: StepId=123.batch exceeded memory limit (1234 > 1000), being killed
MPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD
mpirun noticed that process rank 3 with PID 1234 on node n1 exited on signal 9 (Killed).
mpirun detected that one or more processes exited with non-zero status, thus causing the job to be terminated.
prterun noticed that process rank 3 with PID 1234 on node n1 exited on signal 11 (Segmentation fault).
[n01:01234] *** Process received signal ***
[n01:01234] Signal: Segmentation fault (11)
[n01:1234 :0:1234] Caught signal 11 (Segmentation fault: address not mapped to object at address (nil))
[n01:1234 :0:1234] Caught signal 7 (Bus error: nonexistent object at address 0x7f)
RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.1]:12345
RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:589] Read error [10.0.0.1]:1234: Connection reset by peer
RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:84] Timed out waiting 1800000ms for recv operation to complete
torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 7/8 clients joined.
torch.distributed.DistNetworkError: The client socket has timed out after 600s while trying to connect to (n01, 29500).
[W socket.cpp:601] [c10d] The client socket has failed to connect to [n01]:29500 (errno: 111 - Connection refused).
Bus error (core dumped)
Segmentation fault (core dumped)
Fatal Python error: Segmentation fault
torch.distributed.elastic.multiprocessing.api.SignalException: Process 1234 got signal: 15
WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 1234 closing signal SIGTERM
W1125 08:00:00.123000 1234 site-packages/torch/distributed/elastic/multiprocessing/api.py:897] Sending process 1234 closing signal SIGTERM
E1125 08:00:00.123000 1234 site-packages/torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 3 (pid: 1234) of binary: /usr/bin/python3
ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 0 (pid: 1234) of binary: /usr/bin/python
ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -11) local_rank: 0 (pid: 1234) of binary: /usr/bin/python
Received Signals.SIGTERM death signal, shutting down workers
RuntimeError: DataLoader worker (pid 1234) is killed by signal: Killed.
RuntimeError: DataLoader worker (pid(s) 1234) exited unexpectedly
OSError: [Errno 28] No space left on device
OSError: [Errno 5] Input/output error
OSError: [Errno 116] Stale file handle
END
touch -d 2026-03-01T00:00:00Z lines.out # years are told by it
hindcast ingest -q -o - -a archive-lines lines.out
hindcast query -a archive-lines events --columns line,class,effect,code,name,node,device,job,rank,pid --as csv | sort -n
block() {
    cat >"$1.out"
    touch -d 2026-03-01T00:00:00Z "$1.out"
    hindcast ingest -q -o - -a "archive-$1" "$1.out"
    hindcast query -a "archive-$1" events --columns line,class,effect,code,name,rank,pid,message --as csv | sort -n
}
block tb1 <<'END'
Traceback (most recent call last):
  File "/w/train.py", line 10, in <module>
    main()
    ~~~~^^
  File "/w/train.py", line 5, in main
    x = a / b
        ~~^~~
ZeroDivisionError: division by zero

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/w/train.py", line 12, in <module>
    raise RuntimeError("second")
RuntimeError: second

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/w/train.py", line 14, in <module>
    raise ValueError("third") from e
ValueError: third
END
block tb2 <<'END'
  + Exception Group Traceback (most recent call last):
  |   File "/w/train.py", line 10, in <module>
  |     raise ExceptionGroup("eg", [ValueError(1), TypeError(2)])
  | ExceptionGroup: eg (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | ValueError: 1
    +---------------- 2 ----------------
    | TypeError: 2
    +------------------------------------
END
block tb3 <<'END'
[rank0]: Traceback (most recent call last):
[rank1]: Traceback (most recent call last):
[rank0]:   File "/w/train.py", line 10, in <module>
[rank1]:   File "/w/train.py", line 11, in <module>
[rank0]:     main()
[rank1]:     main2()
[rank1]: RuntimeError: one
[rank0]: RuntimeError: zero
END
block tb4 <<'END'
2025-04-01T10:00:14.5Z stderr F Traceback (most recent call last):
2025-04-01T10:00:14.5Z stderr F   File "/w/train.py", line 3, in <module>
2025-04-01T10:00:14.5Z stderr F     main()
2025-04-01T10:00:14.5Z stderr F RuntimeError: boom
END
block tb6 <<'END'
Traceback (most recent call last):
  File "/w/train.py", line 10, in <module>
    main()
my_pkg.errors.CustomError
Traceback (most recent call last):
  File "/w/train.py", line 10, in <module>
    main()
SystemExit: 3
Traceback (most recent call last):
  File "/w/x.py", line 10
    def f(:
          ^
SyntaxError: invalid syntax
Traceback (most recent call last):
  File "/w/train.py", line 10, in <module>
  [Previous line repeated 996 more times]
RecursionError: maximum recursion depth exceeded
END
block tr1 <<'END'
E1125 08:00:00.123000 1234 site-packages/torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 3 (pid: 1234) of binary: /usr/bin/python3
Traceback (most recent call last):
  File "/usr/bin/torchrun", line 8, in <module>
    sys.exit(main())
  File "/x/torch/distributed/launcher/api.py", line 264, in launch_agent
    raise ChildFailedError(
torch.distributed.elastic.multiprocessing.errors.ChildFailedError: 
============================================================
train.py FAILED
------------------------------------------------------------
Failures:
[1]:
  time      : 2025-11-25_08:00:00
  host      : n01
  rank      : 4 (local_rank: 4)
  exitcode  : -6 (pid: 1235)
  error_file: <N/A>
  traceback : Signal 6 (SIGABRT) received by PID 1235
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2025-11-25_07:59:59
  host      : n01
  rank      : 3 (local_rank: 3)
  exitcode  : 1 (pid: 1234)
  error_file: /tmp/torchelastic/error.json
  traceback : Traceback (most recent call last):
    File "/x/errors/__init__.py", line 355, in wrapper
      return f(*args, **kwargs)
    File "/w/train.py", line 5, in main
      raise RuntimeError("x")
  RuntimeError: x
  
============================================================
END
block tr2 <<'END'
*****************************************
          main.py FAILED                 
========================================
Root Cause:
[0]:
  time: 2021-11-25_08:00:00
  rank: 0 (local_rank: 0)
  exitcode: 1 (pid: 1234)
  error_file: <N/A>
  msg: "Process failed with exitcode 1"
========================================
Other Failures:
[1]:
  time: 2021-11-25_08:00:00
  rank: 1 (local_rank: 1)
  exitcode: 1 (pid: 1235)
  error_file: <N/A>
  msg: "Process failed with exitcode 1"
*****************************************
END
# Lines that look like a host and a tag behind their stamp are of a job, where a failure is among them.
printf '[2026-03-01 11:01:00,123] CUDA error: out of memory\n' >stamped.log
printf '2026-03-01 11:01:00 CUDA error: out of memory\n' >bare.log
hindcast ingest -q -o - -a stamped stamped.log bare.log
