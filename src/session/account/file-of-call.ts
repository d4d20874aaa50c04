import { toolFacts } from '../../engine/extract/calls/tool-facts.ts'
import { isWholePath } from '../../engine/extract/distinct-paths.ts'
import type { ToolCallPart } from '../../model/types.ts'

/** The file that a call reads or writes, with its whole path if the folder is known; undefined for a call about several files or none. */
export function fileOfCall(call: ToolCallPart, folder: string): string | undefined {
  const paths = new Set(
    toolFacts(call).flatMap((fact) =>
      (fact.kind === 'read' || fact.kind === 'modified') && fact.via !== 'search' && fact.via !== 'list'
        ? [fact.path]
        : [],
    ),
  )
  const [path] = paths
  if (path === undefined || paths.size > 1) return undefined
  return isWholePath(path) || folder === '' ? path : `${folder.replace(/[\\/]$/, '')}/${path.replace(/^\.\//, '')}`
}
