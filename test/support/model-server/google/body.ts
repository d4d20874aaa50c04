import { z } from 'zod'

const part = z.union([
  z.looseObject({
    functionCall: z.strictObject({
      id: z.string().optional(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
  z.looseObject({
    functionResponse: z.looseObject({
      id: z.string().optional(),
      name: z.string(),
      response: z.record(z.string(), z.unknown()),
    }),
  }),
  z.looseObject({ text: z.string() }),
  z.looseObject({ inlineData: z.unknown() }),
  z.looseObject({ fileData: z.unknown() }),
])
export type GooglePart = z.output<typeof part>

const content = z.strictObject({ role: z.string(), parts: z.array(part) })
export type Content = z.output<typeof content>

/** A request to generate content, with the fields that an agent uses. */
export type GoogleBody = z.output<typeof googleBody>
export const googleBody = z.looseObject({
  contents: z.array(content),
  systemInstruction: z.looseObject({ parts: z.array(z.looseObject({ text: z.string() })) }).optional(),
  tools: z
    .array(
      z.looseObject({
        functionDeclarations: z
          .array(
            z.looseObject({
              name: z.string(),
              description: z.string().optional(),
              parameters: z.unknown().optional(),
              parametersJsonSchema: z.unknown().optional(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
  generationConfig: z.looseObject({ maxOutputTokens: z.number().int().positive().optional() }).optional(),
})

export function declarationsOf({ tools = [] }: GoogleBody) {
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
}

/** The function calls of a content. */
export function callsOf(content: Content | undefined) {
  return (content?.parts ?? []).flatMap((each) => (isCall(each) ? [each.functionCall] : []))
}

/** The function responses of a content. */
export function responsesOf(content: Content | undefined) {
  return (content?.parts ?? []).flatMap((each) => (isResponse(each) ? [each.functionResponse] : []))
}

export function isCall(each: GooglePart): each is Extract<GooglePart, { functionCall: { name: string } }> {
  return 'functionCall' in each && each.functionCall !== undefined
}

export function isResponse(each: GooglePart): each is Extract<GooglePart, { functionResponse: { name: string } }> {
  return 'functionResponse' in each && each.functionResponse !== undefined
}
