import { homedir } from 'node:os'
import { join } from 'node:path'
import type { PlaceVariable } from '../../formats/shared/format.ts'

/** A folder of an agent on this machine. The first variable that is set and replaces the beginning of its path counts. */
export function onThisMachine(
  folder: string,
  variables: readonly PlaceVariable[],
  env: NodeJS.ProcessEnv = process.env,
): string[] {
  for (const { name, replaces, isList } of variables) {
    const value = env[name] ?? ''
    const start = replaces.find((start) => folder === start || folder.startsWith(`${start}/`))
    if (value === '' || start === undefined) continue
    const roots = isList === true ? value.split(',').map((root) => root.trim()) : [value]
    return roots.map((root) => join(root, folder.slice(start.length)))
  }
  return [join(env.HOME || homedir(), folder.slice('~'.length))]
}
