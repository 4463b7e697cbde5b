/** A path for inside the double quotes of a shell command: what the shell would still expand there is escaped. */
export function inDoubleQuotes(path: string): string {
  return path.replaceAll(/[\\"$`]/g, '\\$&');
}
