// Loaded before the measured program (`node --import`). When the program ends, this writes its resource usage
// to the file that CHAFF_BENCH_USAGE names. The peak is the kernel's high-water mark of this process alone;
// that of getrusage starts at the size of the process that forked it.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.CHAFF_BENCH_USAGE;
if (isMainThread && file) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = {
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      peakBytes: peakBytes() ?? maxRSS * 1024,
    };
    writeFileSync(file, JSON.stringify(usage));
  });
}

function peakBytes() {
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
  } catch {
    return undefined;
  }
}
