export function writeMarkets(
  folder: string,
  manifest: { name: string; version: string; description: string; license: string; repository?: string },
): Promise<void>
export function registryName(repository: string): string
