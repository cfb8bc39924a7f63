#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { main } from './main.ts';

// V8 compiles what has run for a while for what it has met so far; the pages of the next site then show it other
// cases, and it compiles again. Four times the usual patience is a quarter fewer compilations in a report. Later
// versions do not know this flag, and would complain.
if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=270000');

process.exitCode = await main(process.argv.slice(2), process);
