/**
 * A Slurm cluster of two nodes on this machine: munged, slurmctld and two slurmd on ports of their own, with all files in
 * one folder. Debian's slurmd takes a node name (`-N`), so that several run side by side.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const DAEMONS = ['munged', 'slurmctld', 'slurmd'];
const NODES = ['one', 'two'] as const;
type NodeName = (typeof NODES)[number];

/** Daemons are in folders that not every user's path has. */
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;

/** The daemons that are not installed. */
export function missingDaemons(): string[] {
  return DAEMONS.filter((name) => spawnSync('which', [name], { env: { PATH } }).status !== 0);
}

export interface SlurmCluster {
  /** For commands such as sbatch. */
  env: NodeJS.ProcessEnv;
  /** The state of all jobs in Slurm, one line each. */
  jobs(): string;
  /** Waits until both nodes can be used. */
  ready(): Promise<void>;
  /** Kills the daemons of the node that runs a process of chaff, and leaves that process alone. Returns the node. */
  loseNodeOf(pid: number): Promise<NodeName>;
  /** Starts the daemon of a node again. */
  startNode(name: NodeName): void;
  stop(): Promise<void>;
}

export async function startSlurm(): Promise<SlurmCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-cluster-'));
  const socket = join(folder, 'munge', 'socket');
  const [controller, ...ports] = await freePorts(1 + NODES.length);
  for (const name of ['munge', 'state', ...NODES]) mkdirSync(join(folder, name), { recursive: true });
  for (const path of [folder, join(folder, 'munge')]) chmodSync(path, 0o755); // munged checks that
  const key = join(folder, 'munge', 'key');
  writeFileSync(key, randomBytes(1024), { mode: 0o600 });
  const config = join(folder, 'slurm.conf');
  writeFileSync(config, configOf({ folder, socket, controller, ports }));

  const env = { ...process.env, PATH, SLURM_CONF: config };
  const daemons: ChildProcess[] = [];
  let failure = '';
  const nodes = new Map<NodeName, ChildProcess>();
  const start = (command: string, args: string[]): ChildProcess => {
    const daemon = spawn(command, args, { env, stdio: 'ignore' });
    daemons.push(daemon);
    daemon.on('exit', (code) => {
      if (code) failure = `${command} ended with ${code}`;
    });
    return daemon;
  };
  const startNode = (name: NodeName) => void nodes.set(name, start('slurmd', ['-D', '-N', name]));
  const isUp = (what: string, isSo: () => boolean) =>
    until(what, () => {
      if (failure !== '') throw new Error(failure);
      return isSo();
    });
  const ask = (command: string, ...args: string[]) =>
    spawnSync(command, args, { env, encoding: 'utf8' }).stdout;

  const files = ['pid', 'log', 'seed'].map((what) => `--${what}-file=${join(folder, 'munge', what)}`);
  start('munged', ['--foreground', `--key-file=${key}`, `--socket=${socket}`, ...files]);
  await isUp('munged answers', () => spawnSync('munge', ['-n', '-S', socket], { env }).status === 0);
  start('slurmctld', ['-D']);
  NODES.forEach(startNode);

  const ready = () =>
    isUp('two idle nodes', () => ask('sinfo', '-h', '-o', '%D %t').trim() === `${NODES.length} idle`);
  await ready();
  await isUp('a job of Slurm ends', () => spawnSync('srun', ['--ntasks=1', 'true'], { env }).status === 0);
  return {
    env,
    ready,
    startNode,
    jobs: () => ask('scontrol', 'show', 'job', '-o'),
    async loseNodeOf(pid) {
      // chaff is started by the script of the array, which is started by slurmstepd
      const script = parentOf(pid);
      const step = parentOf(script);
      const name = readFileSync(`/proc/${script}/environ`, 'utf8')
        .split('\0')
        .find((each) => each.startsWith('SLURMD_NODENAME='))!
        .split('=')[1] as NodeName;
      nodes.get(name)!.kill('SIGKILL');
      process.kill(step, 'SIGKILL');
      await until('the step is gone', () => parentOf(script) !== step);
      return name;
    },
    async stop() {
      ask('scancel', '--full', '--state=RUNNING', '--state=PENDING', '--user', userInfo().username);
      for (const daemon of daemons.reverse()) {
        if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
        const ended = once(daemon, 'exit');
        daemon.kill('SIGTERM');
        const late = setTimeout(() => daemon.kill('SIGKILL'), 5000);
        await ended;
        clearTimeout(late);
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Places {
  folder: string;
  socket: string;
  controller: number;
  ports: number[];
}

function configOf({ folder, socket, controller, ports }: Places): string {
  const host = hostname().split('.')[0];
  const user = userInfo().username;
  return [
    'ClusterName=chaff',
    `SlurmctldHost=${host}(127.0.0.1)`,
    `SlurmctldPort=${controller}`,
    `SlurmUser=${user}`,
    `SlurmdUser=${user}`,
    // a job of a lost node may start again after this many seconds
    `AuthInfo=socket=${socket},cred_expire=5`,
    'MessageTimeout=5',
    `StateSaveLocation=${join(folder, 'state')}`,
    `SlurmdSpoolDir=${join(folder, '%n')}`,
    `SlurmctldPidFile=${join(folder, 'slurmctld.pid')}`,
    `SlurmdPidFile=${join(folder, '%n.pid')}`,
    `SlurmctldLogFile=${join(folder, 'slurmctld.log')}`,
    `SlurmdLogFile=${join(folder, '%n.log')}`,
    'ProctrackType=proctrack/linuxproc',
    'TaskPlugin=task/none',
    'SelectType=select/cons_tres',
    'SelectTypeParameters=CR_CPU',
    'SchedulerType=sched/builtin',
    'SchedulerParameters=sched_interval=1,batch_sched_delay=0',
    'MpiDefault=none',
    'ReturnToService=2',
    'SlurmdTimeout=6',
    ...NODES.map(
      (name, k) => `NodeName=${name} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports[k]} CPUs=1`,
    ),
    `PartitionName=main Nodes=${NODES.join(',')} Default=YES MaxTime=INFINITE State=UP`,
    '',
  ].join('\n');
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  for (const server of servers) server.close();
  return ports;
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}

/** Looks again and again until something is so. */
export async function until(what: string, isSo: () => boolean, seconds = 300): Promise<void> {
  for (const endMs = Date.now() + seconds * 1000; !isSo(); await sleep(100)) {
    if (Date.now() > endMs) throw new Error(`${what}: not within ${seconds} s`);
  }
}
