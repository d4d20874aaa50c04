import type { FileFact } from '../../model/types.ts'

/** The paths with this access, sorted. */
export function pathsOf(files: readonly FileFact[], access: FileFact['access']): string[] {
  return files
    .filter((fact) => fact.access === access)
    .map((fact) => fact.path)
    .sort()
}
