/** `--without`, `--with` and `--only`: which parts of a page its text has. */
import { type Command, Option } from 'commander';
import type { DetectorName } from '../detect/detector.ts';
import { checkRoleChoice, parseRoles, type RoleChoice } from '../model/role.ts';
import type { JobOptions } from '../run/job.ts';
import { UsageError } from './context.ts';
import { parsedBy } from './option-table.ts';

/** Each flag is a list of roles. */
export type RoleFlags = RoleChoice;

const MEANINGS = {
  without: 'leave these roles out: title, byline, date, caption, code, facts, comments, …',
  with: 'keep these roles too, on every page',
  only: 'keep nothing but these roles; text is all that has none',
} as const;

export function addRoleOptions(command: Command): void {
  for (const [name, meaning] of Object.entries(MEANINGS)) {
    command.addOption(
      new Option(`--${name} <roles>`, meaning).argParser(parsedBy(parseRoles)).helpGroup('Roles:'),
    );
  }
}

/** The job with what the flags choose. */
export function withRoles(job: JobOptions, flags: RoleFlags): JobOptions {
  const roles = roleChoiceOf(flags, job.detectors ?? []);
  if (!roles) return job;
  const { joint, ...others } = job.detectorOptions ?? {};
  return { ...job, detectorOptions: { ...others, joint: { ...joint, roles } } };
}

/** What the flags choose; undefined when they choose nothing. Refused for detectors that tell no roles. */
export function roleChoiceOf(
  { with: also, without, only }: RoleFlags,
  detectors: Iterable<DetectorName>,
): RoleChoice | undefined {
  const choice: RoleChoice = {
    ...(also && { with: also }),
    ...(without && { without }),
    ...(only && { only }),
  };
  const [option] = Object.keys(choice);
  if (option === undefined) return undefined;
  for (const detector of detectors) {
    if (detector === 'joint') continue;
    throw new UsageError(
      `--${option} chooses by the roles of texts, and only joint tells them, not ${detector}`,
    );
  }
  try {
    checkRoleChoice(choice);
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/"(with|without|only)"/g, '--$1'));
  }
  return choice;
}
