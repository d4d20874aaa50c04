import { callsOf, type FileFact, type Item, type ToolCallPart } from '../../model/types.ts'
import { toolFacts } from './calls/tool-facts.ts'
import { TOOL_TABLE, toolRow } from './calls/tool-table.ts'
import { wholeItems } from './whole-items.ts'

/** The files that the calls in these items read and modified: each once, modified wins, with the last entry that did. */
export function filesOf(items: Iterable<Item>): FileFact[] {
  const files = new Map<string, FileFact>()
  for (const item of wholeItems([...items])) {
    for (const { path, access } of callsOf(item.message).flatMap(seenBy)) {
      const modified = access === 'modified' || files.get(path)?.access === 'modified'
      files.set(path, { path, access: modified ? 'modified' : 'read', seq: item.seq })
    }
  }
  return [...files.values()]
}

/** The files that a call names, if the tool is known to `kit`. It does not look at the files of commands. */
function seenBy(call: ToolCallPart): Pick<FileFact, 'path' | 'access'>[] {
  if (toolRow(TOOL_TABLE, call.toolName)?.agents.includes('Kit') !== true) return []
  return toolFacts(call).flatMap((fact) =>
    (fact.kind === 'read' || fact.kind === 'modified') && fact.via !== 'shell'
      ? [{ path: fact.path, access: fact.kind }]
      : [],
  )
}

/** The paths with this access, sorted. */
export function pathsOf(files: readonly FileFact[], access: FileFact['access']): string[] {
  return files
    .filter((fact) => fact.access === access)
    .map((fact) => fact.path)
    .sort()
}
