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

/** The same with every digit as 0. What else the length of our prompts changes is left out: digits of prices, and the room around the gauge. */
export function withoutNumbers(screen: string): string {
  return (
    screen
      .replace(/\d/g, '0')
      .replace(/\$0\.0+/g, '$$0.00')
      .replace(/ +[█░]+ 0+\.00% [0.]+k of /, '  ░ 0.00% 0k of ')
      // A round number has no decimals, and so one more space before it.
      .replace(/ {2}(N\/A 0)k tokens/, '$1.0k tokens')
      .replace(/^\n+/, '')
  )
}
