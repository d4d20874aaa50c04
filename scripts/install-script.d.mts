export function installScript(release: { version: string; sums: readonly string[]; from?: string }): string
