export async function evalReaders(folder: string, _flags: unknown): Promise<void> {
  throw new Error(folder)
}
