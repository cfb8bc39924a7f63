#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { supervise } from './supervise.ts';

// What V8's compiler costs, measured on reports; later versions have other compilers and other flags.
if (process.versions.v8.startsWith('11.')) {
  // It compiles what has run for a while for what it has met so far; the pages of the next site then show it other
  // cases, and it compiles again. Four times the usual patience is a quarter fewer compilations.
  setFlagsFromString('--interrupt-budget=270000');
  // The loops that take the time are WebAssembly; the rest gains less by functions copied into each other than
  // compiling the copies takes.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=100');
}

supervise(new URL('./command-thread.js', import.meta.url), process.argv.slice(2));
