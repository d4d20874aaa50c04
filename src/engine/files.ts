import type { FileFact } from '../model/log-index.ts'
import { callsOf } from '../model/message.ts'
import type { Item } from '../model/view.ts'

/** Tools of our own and of the agents that we know, in lower case: what a call of them does to the file that it names. */
export const FILE_TOOLS: Readonly<Record<string, FileFact['access']>> = {
  read: 'read',
  grep: 'read',
  find: 'read',
  ls: 'read',
  write: 'modified',
  edit: 'modified',
}

const PATH_ARGUMENTS = ['path', 'file_path', 'filePath', 'file', 'filename'] as const

/** The files that the calls in these items read and modified: once each, modified wins, with the last entry that did. */
export function filesOf(items: Iterable<Item>): FileFact[] {
  const files = new Map<string, FileFact>()
  for (const item of items) {
    for (const call of callsOf(item.message)) {
      const access = FILE_TOOLS[call.toolName.toLowerCase()]
      const path = access === undefined ? undefined : pathArgument(call.input)
      if (access === undefined || path === undefined) continue
      const modified = access === 'modified' || files.get(path)?.access === 'modified'
      files.set(path, { path, access: modified ? 'modified' : 'read', seq: item.seq })
    }
  }
  return [...files.values()]
}

/** The paths with this access, sorted. */
export function pathsOf(files: readonly FileFact[], access: FileFact['access']): string[] {
  return files
    .filter((fact) => fact.access === access)
    .map((fact) => fact.path)
    .sort()
}

function pathArgument(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  for (const name of PATH_ARGUMENTS) {
    const value = (input as Record<string, unknown>)[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
