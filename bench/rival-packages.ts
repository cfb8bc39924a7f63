/** Packages of rivals: found when they are installed, and kept quiet while they are measured. */

/** A package of bench/package.json, when it is installed. The name is a variable so that types need none of them. */
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
