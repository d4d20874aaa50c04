import { fields, objects } from '../../../formats/shared/json.ts'
import type { Face } from '../face.ts'
import { declaredTools, joinedTexts } from '../fixed-parts.ts'
import { geminiAnswer } from './read-answer.ts'
import { contentReader } from './read-contents.ts'

/** Gemini's `generateContent` and `streamGenerateContent`. The model stands in the path. */
export const geminiFace: Face = {
  name: 'gemini',
  isConversation: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  messagesKey: 'contents',
  head: (json, path) => ({
    model: decodeURIComponent(/\/models\/([^/:?]+):/.exec(path)?.[1] ?? ''),
    isStream: path.includes(':streamGenerateContent'),
    fixed: {
      system: joinedTexts(objects((fields(json.systemInstruction) ?? fields(json.system_instruction))?.parts)),
      tools: declaredTools(
        objects(json.tools).flatMap((tool) => objects(tool.functionDeclarations ?? tool.function_declarations)),
        'parameters',
      ),
    },
  }),
  speakerOf: (value) => (fields(value)?.role === 'model' ? 'model' : 'others'),
  messagesOf(values, from = 0) {
    const read = contentReader()
    return values.map((value, place) => read(fields(value) ?? {}, from + place))
  },
  answerOf: geminiAnswer,
}
