/** The description of `ls` that the model reads. */
export const LS_DESCRIPTION = `Lists a folder: folders with a slash, files with their size, links with where they lead. Hidden files are shown; of what \`.gitignore\` names only the names, in the last line.

- \`path\`: the workspace if left out. \`limit\`: 500 names by default. For whole trees use \`find\`.`
