import { afterEach, expect, test, vi } from 'vitest';
import { findChromium, NoChromiumError } from './launch-chromium.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the browser named in CHAFF_CHROMIUM comes first, and a missing one is reported', async () => {
  vi.stubEnv('CHAFF_CHROMIUM', process.execPath);
  expect(await findChromium()).toEqual({ executablePath: process.execPath });
  vi.stubEnv('CHAFF_CHROMIUM', '/nowhere/chromium');
  await expect(findChromium()).rejects.toThrow(NoChromiumError);
  await expect(findChromium()).rejects.toThrow(
    'CHAFF_CHROMIUM names /nowhere/chromium, which does not exist',
  );
});

test('the first existing browser of the system is taken', async () => {
  vi.stubEnv('CHAFF_CHROMIUM', '');
  const systemPaths = ['/nowhere/chromium', process.execPath, import.meta.filename];
  expect(await findChromium({ systemPaths })).toEqual({ executablePath: process.execPath });
});
