/** Modules that are needed only with a session. They are loaded after the first screen is drawn. */
export { COMMANDS, slashCommandIn, suggestions } from '../commands/index.ts'
export { ownCommands } from '../commands/own.ts'
export { Picker, SecretInput } from '../parts/picker.ts'
export { QuestionPart } from '../parts/question-part.ts'
