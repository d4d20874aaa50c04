import { listWriter } from '../shared/message-list.ts'

/** Writes the messages that would be sent as they are: our messages are those of the AI SDK. */
export const writeAiSdk = listWriter((messages) => messages)
