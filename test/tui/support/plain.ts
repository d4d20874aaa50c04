import type { Program } from './program.ts'

/** The visible text, without what differs from run to run: folders, ids, spinners, times and sizes of what we wrote ourselves. */
export async function plain(program: Program, workspace: string): Promise<string> {
  const screen = await program.screen()
  return screen
    .replaceAll(workspace, '/home/me/work')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /g, '⠋ ')
    .replace(/( · |Working\.\.\. )\d+s · /g, '$1')
    .replace(/\b[0-9a-f]{8}\b/g, '1a2b3c4d')
    .trimEnd()
}

/** The same with every digit of a number that depends on our prompts as 0. */
export function withoutNumbers(screen: string): string {
  return screen.replace(/\d/g, '0')
}
