/** The models of `--model`, and what cannot be asked for beside them: they are learnt already. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { DetectorName } from '../detect/detector.ts';
import { ModelFormatError } from '../detect/model-bytes.ts';
import type { SiteRule } from '../model/site.ts';
import { SiteModels } from '../run/library/learn-pages.ts';
import { UsageError } from './exit-codes.ts';

interface ModelFlags {
  model: string;
  detector: DetectorName;
  site: SiteRule;
}

/** Options that learning alone looks at; the seed is that of the cross detector's verdict, too. */
const OF_LEARNING = /^--(snapshot|sample|seed|learn-from|text-.+|dom-.+|cross-(?:pages|tokens))$/;

/** The models that a command was given; of one detector only when it is named. */
export function openModels(command: Command): SiteModels {
  const { model, detector, site } = command.opts<ModelFlags>();
  const given = new Set(flagsGiven(command));
  const models = readModels(model, given.has('--detector') ? detector : undefined);
  if (given.has('--site') && site !== models.siteRule) {
    throw new UsageError(`${model} is of sites by ${models.siteRule}, not of --site ${site}`);
  }
  const usesSeed = [...models].some((one) => one.detector === 'cross');
  const vain = [...given].filter((flag) => OF_LEARNING.test(flag) && !(flag === '--seed' && usesSeed));
  if (vain.length > 0) {
    throw new UsageError(`--model is learnt already: ${vain.join(', ')} must be given to chaff learn`);
  }
  return models;
}

/** What the user named, with its default perhaps. */
function flagsGiven(command: Command): string[] {
  return command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => long ?? '');
}

function readModels(path: string, detector?: DetectorName): SiteModels {
  const models = decodeModels(path);
  if (!detector) return models;
  const chosen = [...models].filter((model) => model.detector === detector);
  if (chosen.length === 0) {
    const names = [...new Set([...models].map((model) => model.detector))].sort().join(' and ');
    throw new UsageError(`${path} is of ${names || 'no site'}, not of --detector ${detector}`);
  }
  return new SiteModels(chosen, models);
}

function decodeModels(path: string): SiteModels {
  try {
    return SiteModels.decode(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UsageError(`--model ${path}: no such file; chaff learn makes one`);
    if (code !== undefined) throw new UsageError(`--model ${path} cannot be read: ${message}`);
    if (!(error instanceof ModelFormatError)) throw error;
    throw new UsageError(`--model ${path}: ${message}; make a new one with chaff learn`);
  }
}
