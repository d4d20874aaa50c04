/**
 * The exit status in the text of a command's result. Agents write it in lines before or after the output, never inside.
 * The lines of all agents are tried, because a result does not say which agent it comes from.
 */
export function exitStatus(text: string): number | undefined {
  return exitBefore(text) ?? exitAfter(text)
}

/** True for a line that an agent adds around the output: it says nothing about an error. */
export function isFrame(line: string): boolean {
  return MAY_BE_FRAME.test(line) && ALL_FRAMES.some((pattern) => pattern.test(line))
}

/** Lines before the output, each with the agent that writes it. */
const BEFORE: readonly RegExp[] = [
  /^Exit code:? (-?\d{1,10})$/i, // Claude Code (errors), Codex (apply_patch, shell)
  /^Process exited with code (-?\d{1,10})$/, // Codex (exec_command)
  /^<returncode>(-?\d{1,10})<\/returncode>$/, // mini-SWE-agent
  /^<exit_code>(-?\d{1,10})<\/exit_code>$/, // Claude Code (TaskOutput, BashOutput)
]

/** Lines after the output, each with the agent that writes it. */
const AFTER: readonly RegExp[] = [
  /^(?:\[?Command )?exited with (?:exit )?code:? (-?\d{1,10})\]?$/i, // pi
  /^\[(?:The command completed|Command finished) with exit code (-?\d{1,10})\.?\]$/, // OpenHands
  /^<(?:shellId: \S{1,20} )?(?:completed|exited) with exit code (-?\d{1,10})>$/, // Copilot CLI
  /^[[(]?exit(?:[ _]code|[ _]status)?[:=]? (-?\d{1,10})[\])]?$/i, // Gemini CLI, ours; `Exit status 1` is pnpm's last line
]

const FRAMES: readonly RegExp[] = [
  /^(?:Chunk ID|Wall time|Original token count|Total output lines|Process running with session ID)\b/,
  /^(?:Output|Command|Directory|Stdout|Stderr|Error|Signal|Background PIDs|Process Group PGID):(?: \(none\)| \(empty\))?$/,
  /^(?:Signal|Background PIDs|Process Group PGID): /,
  /^Command: \S*(?:sh|pwsh) -l?c /, // Codex
  /^\[(?:Current working directory|Python interpreter): /,
  /^<\/?(?:output|retrieval_status|task_id|task_type|status|stdout|stderr|bash_metadata|untrusted_context)>/,
  /^\((?:Open file|Current directory): .*\)$|^bash-\$$/,
]

const ALL_FRAMES = [...BEFORE, ...AFTER, ...FRAMES]

/** Matches the beginning of all of them. Most lines do not match. */
const MAY_BE_FRAME =
  /^(?:[[(<]|exit|process|command|chunk|wall|original|total|output|directory|std|error|signal|background|bash)/i

const LINES_BEFORE = 12
const LINES_AFTER = 6
const LONGEST_FRAME = 400

function exitBefore(text: string): number | undefined {
  let start = 0
  for (let count = 0; count < LINES_BEFORE && start < text.length; count++) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, Math.min(end, start + LONGEST_FRAME)).trim()
    if (line !== '' && !MAY_BE_FRAME.test(line)) return undefined
    const status = matched(BEFORE, line)
    if (status !== undefined) return status
    // The output of the command begins after the last line that an agent writes.
    if (/^(?:Output:|<output>)/.test(line) || (line !== '' && !FRAMES.some((frame) => frame.test(line))))
      return undefined
    start = end + 1
  }
  return undefined
}

function exitAfter(text: string): number | undefined {
  let end = text.length
  for (let count = 0; count < LINES_AFTER && end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const line = text.slice(Math.max(start, end - LONGEST_FRAME), end).trim()
    if (line !== '' && !MAY_BE_FRAME.test(line)) return undefined
    const status = matched(AFTER, line)
    if (status !== undefined) return status
    if (line !== '') {
      if (!FRAMES.some((frame) => frame.test(line))) return undefined
      count++
    }
    end = start - 1
  }
  return undefined
}

function matched(patterns: readonly RegExp[], line: string): number | undefined {
  for (const pattern of patterns) {
    const status = pattern.exec(line)?.[1]
    if (status !== undefined) return Number(status)
  }
  return undefined
}
