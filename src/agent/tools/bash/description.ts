/** The description of `bash` that the model reads. */
export const BASH_DESCRIPTION = `Runs a command line with bash in the workspace's folder and answers with its output (standard output and errors, as they came) and, in the last line, its exit code.

- Each call is a shell of its own: \`cd\` and variables do not last. Standard input is closed; nothing can be typed.
- \`timeoutSeconds\`: 120 unless you say otherwise, 600 at most. Then the command and all it started are killed.
- What shall go on running (a server) goes into the background with its output in a file: \`npm start > server.log 2>&1 &\`.
- To read, search and change files use \`read\`, \`grep\`, \`find\`, \`ls\`, \`edit\` and \`write\`: they are safer and remember what you know.`
