import { parseBody } from '../bad-body.ts'
import type { Part, RequestMessage } from '../model-request.ts'
import type { Reading } from '../protocol.ts'
import {
  type Content,
  declarationsOf,
  type GoogleBody,
  type GooglePart,
  googleBody,
  isCall,
  isResponse,
} from './body.ts'
import { googleOddities, googleProblems } from './validate.ts'

/** Reads a request to generate content; the model's name is in its path. */
export function readGoogle(value: unknown, path: string): Reading {
  const body = parseBody(googleBody, value)
  const model = /\/models\/([^:]+):/.exec(path)?.[1] ?? ''
  const maxOutputTokens = body.generationConfig?.maxOutputTokens
  return {
    request: {
      protocol: 'google',
      model,
      system: (body.systemInstruction?.parts ?? []).map(({ text }) => text).join('\n\n'),
      messages: body.contents.flatMap(messagesOf),
      tools: toolsOf(body),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    segments: [body.systemInstruction ?? '', ...declarationsOf(body), ...body.contents].map((part) => ({
      text: part === '' ? '' : JSON.stringify(part),
    })),
    problems: googleProblems(body),
    oddities: googleOddities(body),
    cacheKey: model,
  }
}

function toolsOf(body: GoogleBody) {
  return declarationsOf(body).map(({ name, description = '', parameters, parametersJsonSchema }) => ({
    name,
    description,
    inputSchema: parametersJsonSchema ?? parameters,
  }))
}

function messagesOf({ role, parts }: Content): RequestMessage[] {
  const decoded = parts.flatMap(partOf)
  if (role === 'model') return [{ role: 'assistant', parts: decoded }]
  const results = decoded.filter(({ type }) => type === 'tool-result')
  const rest = decoded.filter(({ type }) => type !== 'tool-result')
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
    ...(rest.length > 0 ? [{ role: 'user' as const, parts: rest }] : []),
  ]
}

function partOf(part: GooglePart): Part[] {
  if (isCall(part)) {
    const { id, name, args } = part.functionCall
    return [{ type: 'tool-call', id: id ?? name, name, input: args ?? {} }]
  }
  if (isResponse(part)) {
    const { id, name, response } = part.functionResponse
    const isError = 'error' in response
    const value = response.error ?? response.content ?? response.output ?? response
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [{ type: 'tool-result', id: id ?? name, name, text, isError }]
  }
  return typeof part.text === 'string' && part.thought !== true ? [{ type: 'text', text: part.text }] : []
}
