import type { ToolStep } from '../../../src/eval/truth/steps.ts'
import { commandOf, editedBy } from '../../../src/eval/truth/tools.ts'

/**
 * Files that an editing tool changed after the last command that commits, stashes or takes back: no commit has them. None
 * if git was never used. Files that only the shell changed, and files outside the project, are not asked about.
 */
export function uncommittedFiles(steps: readonly ToolStep[]): string[] {
  const files = new Set<string>()
  let usesGit = false
  for (const step of steps) {
    const command = commandOf(step) === undefined ? '' : JSON.stringify(step.input)
    usesGit ||= /\bgit (?:-C \S+ )?[a-z]/.test(command)
    // A command that failed may have done half of its work, so the files before it are in doubt and left out.
    if (SETTLES.test(command)) files.clear()
    for (const path of editedBy(step)) if (!OUTSIDE.test(path)) files.add(path)
  }
  return usesGit ? [...files] : []
}

const SETTLES =
  /\bgit (?:-C \S+ )?(?:commit|stash|restore|reset|checkout|switch|merge|rebase|revert|clean|pull|cherry-pick)\b/
const OUTSIDE = /^(?:\/tmp\/|\/var\/|~\/\.)|[\\/](?:\.(?:claude|codex|pi|cursor)|AppData)[\\/]/
