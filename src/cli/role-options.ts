/** `--without`, `--with` and `--only`: which roles of a page the text includes. */
import { type Command, Option } from 'commander';
import type { DetectorName } from '../detect/detector.ts';
import { checkRoleChoice, parseRoles, type RoleChoice } from '../model/role.ts';
import type { JobOptions } from '../run/job.ts';
import { UsageError } from './context.ts';
import { parsedBy } from './option-table.ts';

/** Flags of `addRoleOptions`; each is a list of roles. */
export type RoleFlags = RoleChoice;

const MEANINGS = {
  without: 'leave these parts of pages out: title, byline, date, caption, code, facts, comments, …',
  with: 'keep these parts on every page',
  only: 'keep only these parts; text is the running text',
} as const;

/** Adds `--without`, `--with` and `--only`. */
export function addRoleOptions(command: Command): void {
  for (const [name, meaning] of Object.entries(MEANINGS)) {
    command.addOption(
      new Option(`--${name} <roles>`, meaning).argParser(parsedBy(parseRoles)).helpGroup('Roles:'),
    );
  }
}

/** Adds the chosen roles to a job. */
export function withRoles(job: JobOptions, flags: RoleFlags): JobOptions {
  const roles = roleChoiceOf(flags, job.detectors ?? []);
  if (!roles) return job;
  const { joint, ...others } = job.detectorOptions ?? {};
  return { ...job, detectorOptions: { ...others, joint: { ...joint, roles } } };
}

/** The chosen roles; undefined without a choice. Throws for detectors that give no roles. */
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
      `--${option} chooses by the roles of texts, which only joint finds, not ${detector}`,
    );
  }
  try {
    checkRoleChoice(choice);
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/"(with|without|only)"/g, '--$1'));
  }
  return choice;
}
