# Lines of other frameworks, and of logs that other tools put them into.
log() { cat >"$1.log"; }
show() {
    for log in "$@"; do
        echo "# $log"
        hindcast ingest -q -o - -a "archive-$log" "$log.log"
        hindcast query -a "archive-$log" train_steps --columns end_ns,iteration,duration_ns,loss,samples,tokens,tflops,clock,line
        hindcast query -a "archive-$log" train_measures --columns iteration,name,value,line
    done
}

printf '[rank0]:[titan] 2025-04-01 10:00:20,123 - root - INFO - \033[31mstep:  1  \033[32mloss: 12.2271  \033[33mmemory: 52.11GiB(54.86%%)  \033[34mtps: 1,764  \033[36mtflops: 44.28  \033[35mmfu: 4.48%%\033[39m\n' | log titan
log nemo <<'END'
Training epoch 0, iteration 1/999 | lr: 2.999e-07 | global_batch_size: 512 | global_step: 1 | reduced_train_loss: 11.03 | train_step_timing in s: 5.13 | consumed_samples: 1024
[NeMo I 2025-04-01 10:01:00 nemo_logging:393] Training epoch 0, iteration 2/999 | lr: 2.999e-07 | global_step: 2 | max_memory_allocated: 123 | reduced_train_loss: 11.02 | train_step_timing in s: 5.23 | TFLOPS_per_GPU: 800.1
END
printf 'Epoch 0: :   1%%|  | 10/1000 [00:50<1:22:30, v_num=abc, reduced_train_loss=9.120, global_step=9.000, consumed_samples=5120.0, train_step_timing in s=5.120]\rEpoch 0: :   1%%|1  | 11/1000 [00:55<1:22:25, v_num=abc, reduced_train_loss=9.020, global_step=10.00, train_step_timing in s=5.110]\n' | log bar
printf '  0%%|  | 0/10 [00:00<?, ?it/s]\r{'"'loss': 2.5123, 'grad_norm': 1.2, 'epoch': 0.01}"'\n{'"'loss': '2.25', 'epoch': '0.02'}"'\n{'"'train_runtime': 1.0, 'train_samples_per_second': 80.1}"'\n' | log trainer
log nanotron <<'END'
[default0]:05/01/2024 10:00:00 [INFO|DP=0|PP=0|TP=0]: iteration: 1 / 600 | consumed_tokens: 262K | elapsed_time_per_iteration_ms: 1.25K | tokens_per_sec: 213K | tokens_per_sec_per_gpu: 26.6K | global_batch_size: 512 | lm_loss: 11.3 | lr: 3e-05 | model_tflops_per_gpu: 45.5 | grad_norm: 12.3
END
log olmo <<'END'
2024-05-01 10:00:00.123	n01:0	olmo.train:816	INFO	[step=100/739328,epoch=0]
    train/CrossEntropyLoss=2.345
    throughput/device/tokens_per_second=12,345
END
log maxtext <<'END'
completed step: 10, seconds: 5.125, TFLOP/s/device: 400.5, Tokens/s/device: 8000.5, total_weights: 131072, loss: 9.125
END
log neox <<'END'
 samples/sec: 123.456 | iteration       10/  143000 | elapsed time per iteration (ms): 8294.1 | learning rate: 3.000E-06 | approx flops per GPU: 112.3TFLOPS | lm_loss: 1.035E+01 | number of skipped iterations:   0 |
END
log seconds <<'END'
 iteration      100/  500000 | consumed samples:        25600 | elapsed time per iteration (s): 12.34 | lm loss: 6.1E+00 | TFLOPs: 120.1 |
END
log others <<'END'
2024-04-01 10:00:00,123	INFO train.py:200, in record -- tflops=180.1 step=10 loss=9.123 tgs (tokens/gpu/second)=4100.5 lr=4e-07 num_consumed_tokens=1048576 x=1
Epoch 1 | iter 11 step 5 | loss train: 9.123, val: n/a | iter time: 512.25 ms (step) remaining time: 1 day
[batch=12/1000]:
	 Train loss/train/total: 11.2
	 Train throughput/tokens_per_sec: 123456.5
2024-04-01 10:00:00 | INFO | train_inner | {"epoch": 1, "loss": "15.2", "wps": "10000", "num_updates": "100", "lr": "1e-05"}
[2024-04-01 10:00:00,123] [INFO] [timer.py:199:stop] epoch=0/micro_step=10/global_step=101, RunningAvgSamplesPerSec=7.5, CurrSamplesPerSec=7.25, MemAllocated=1.0GB
END
log verl <<'END'
(TaskRunner pid=1) step:2 - actor/pg_loss:np.float64(0.25) - timing_s/step:np.float64(47.5)
END
log mlperf <<'END'
[1,0]<stdout>::::MLLOG {"namespace":"","time_ms":1700000000000,"event_type":"INTERVAL_START","key":"init_start","value":null,"metadata":{}}
[1,0]<stdout>::::MLLOG {"namespace": "", "time_ms": 1700000070000.5, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": {"throughput": 1234.5}, "metadata": {"step": 100}}
 0: :::MLLOG {"namespace": "", "time_ms": 1700000071000, "event_type": "POINT_IN_TIME", "key": "eval_accuracy", "value": 0.5, "metadata": {}}
 0: :::MLLOG {"namespace": "", "time_ms": 1700000072000, "event_type": "INTERVAL_END", "key": "run_stop", "value": null, "metadata": {"status": "aborted"}}
END
log cri <<'END'
2025-04-01T10:00:13.000000000Z stdout F  iteration        1/     100 | elapsed time per iteration (ms): 10000.0 | lm loss: 1.0E+01 |
2025-04-01T10:00:14.5Z stderr F Traceback (most recent call last):
2025-04-01T10:00:14.5Z stderr F   File "train.py", line 3, in <module>
2025-04-01T10:00:14.5Z stderr F RuntimeError: boom
END
log docker <<'END'
{"log":" iteration        1/     100 | elapsed time per iteration (ms): 10000.0 | lm loss: 1.0E+01 |\r\n","stream":"stdout","time":"2025-04-01T10:00:13.123456789Z"}
{"log":"\u001b[31mTraceback (most recent call last):\u001b[0m\n","stream":"stderr","time":"2025-04-01T10:00:14Z"}
{"log":"  File \"train.py\", line 3, in \u003cmodule\u003e\n","stream":"stderr","time":"2025-04-01T10:00:14Z"}
{"log":"ValueError: caf\u00e9\n","stream":"stderr","time":"2025-04-01T10:00:14Z"}
END
show titan nemo bar trainer nanotron olmo maxtext neox seconds others verl mlperf cri docker
echo "# what failed"
for log in cri docker; do hindcast query -a "archive-$log" events --columns time_ns,clock,class,name,message,line; done
hindcast query -a archive-mlperf cycles --columns start_ns,framework,is_done
hindcast query -a archive-titan cycles --columns start_ns,framework

echo "# a text about training is no log of it"
echo 'We use deepspeed and pretrain_gpt.py.' >notes.md
hindcast ingest -a none notes.md || true
