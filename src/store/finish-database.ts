/** The database of what is made at the end of a run. */
import { Database } from './database.ts';

/**
 * Memory of the database: several are open at a time, and each spills what exceeds it. And what it may take when that is
 * too little.
 */
const FINISH_MB = 64;
const MOST_FINISH_MB = 1024;

export function openFinishDatabase(spillFolder: string): Promise<Database> {
  return Database.open({
    spillFolder,
    memoryMb: FINISH_MB,
    mostMb: MOST_FINISH_MB,
    threads: 1, // several would each take memory of their own, and cut files into row groups as they please
  });
}
