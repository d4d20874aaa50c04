import { z } from 'zod'
import { PithError } from '../../model/problems/errors.ts'
import { parse } from '../../model/problems/parse.ts'
import { abortCause } from '../abort-cause.ts'
import type { Tool, ToolOutput } from '../tool.ts'
import { fileError } from './files/file-error.ts'

/** Wraps a tool for the loop: it accepts and checks any input, and expected errors become outputs instead of exceptions. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  const checked = (input: unknown): Input =>
    parse(tool.input, input, { what: tool.name, code: 'bad-argument', keys: keysOf(tool.input) })
  return {
    ...tool,
    permission: async (input, context) => {
      const { data, success } = tool.input.safeParse(input)
      // A call with a wrong input does nothing, so it needs no permission.
      return success ? tool.permission(data, context) : undefined
    },
    run: async (input, context) => {
      try {
        return await tool.run(checked(input), context)
      } catch (error) {
        return failure(error, context.signal)
      }
    },
  }
}

/** The answer of a tool that did not do its work. */
export function refused(text: string): ToolOutput {
  return { text, isError: true }
}

function failure(error: unknown, signal: AbortSignal): ToolOutput {
  if (error instanceof PithError) return refused(error.message)
  if (error instanceof Error && error.name === 'AbortError') return refused(`Cancelled ${abortCause(signal)}.`)
  const text = fileError(error)
  if (text === undefined) throw error
  return refused(text)
}

function keysOf(input: z.ZodType): string[] {
  return input instanceof z.ZodObject ? Object.keys(input.shape) : []
}
