#!/usr/bin/env node
import { supervise } from './supervise.ts';

supervise(new URL('./command-thread.js', import.meta.url), process.argv.slice(2));
