import { outputText, type ToolResultContent, type ToolResultOutput } from '../../model/message/message.ts'

/** A tool's result from its contents: one text stays a text, an error is always one. */
export function outputOf(contents: readonly ToolResultContent[], failed = false): ToolResultOutput {
  const [only] = contents
  if (failed) return { type: 'error-text', value: outputText({ type: 'content', value: [...contents] }) }
  if (only === undefined) return { type: 'text', value: '' }
  return contents.length === 1 && only.type === 'text'
    ? { type: 'text', value: only.text }
    : { type: 'content', value: [...contents] }
}

/** A tool's result that is one text. */
export function textOutput(value: string, failed = false): ToolResultOutput {
  return { type: failed ? 'error-text' : 'text', value }
}

/** The same result with the exit status that the agent stores beside the text. */
export function withExit(output: ToolResultOutput, agent: string, exit: unknown): ToolResultOutput {
  return Number.isInteger(exit) ? { ...output, providerOptions: { [agent]: { exitCode: Number(exit) } } } : output
}

/** True for a result that says that the tool failed or was not run. */
export function isFailure({ type }: ToolResultOutput): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied'
}

/** The contents of a result: what is not a list is one text. */
export function contentsOf(output: ToolResultOutput): readonly ToolResultContent[] {
  return output.type === 'content' ? output.value : [{ type: 'text', text: outputText(output) }]
}

/** The arguments of a call as JSON text; those that were broken off stay the text that they are. */
export function inputOf(json: unknown): unknown {
  if (typeof json !== 'string') return json ?? {}
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}
