/** Packages of rivals: found when they are installed, and kept quiet while they are measured. */

/**
 * Returns a package of bench/package.json, or undefined when it is not installed. The name is a variable so
 * that type checking needs none of these packages.
 */
export async function optionalPackage<Module>(name: string, missing: string[]): Promise<Module | undefined> {
  try {
    return (await import(name)) as Module;
  } catch {
    missing.push(name);
    return undefined;
  }
}

/** Rivals that print what they meet would measure the terminal. */
export function silenceConsole(): () => void {
  const names = ['log', 'info', 'warn', 'error', 'debug'] as const;
  const kept = names.map((name) => console[name]);
  for (const name of names) console[name] = () => {};
  return () => names.forEach((name, k) => void (console[name] = kept[k]));
}
