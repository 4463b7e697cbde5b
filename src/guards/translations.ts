import type { JavaScriptManager, PythonManager } from '../policy/policy.ts';
import type { CommandCall } from './guard.ts';
import { translateJavaScript } from './javascript-commands.ts';
import { free, type Translation } from './manager-commands.ts';
import type { PythonProgram } from './manager-programs.ts';
import { projectFacts } from './project-facts.ts';
import { translatePython } from './python-commands.ts';
import { isOtherEnvironment, pythonPlace } from './python-place.ts';
import { type Source, sourceOf } from './source-words.ts';
import { type ManagerCall, translators } from './translators.ts';

translators.bring({
  javascript({ program, given }: ManagerCall, to: JavaScriptManager, call: CommandCall): Translation {
    const source = sourceOf(call, given);
    const project = projectFacts(call.invocation.cwd ?? call.policy.root, call.policy, call.facts);
    const paste = source.pasteFor(to);
    return asWritten(translateJavaScript([program, ...given], program, to, { project, paste }), source, to);
  },
  python({ program, given }: ManagerCall<PythonProgram>, to: PythonManager, call: CommandCall): Translation {
    if (isOtherEnvironment(call)) return free;
    const source = sourceOf(call, given);
    const paste = source.pasteFor(to);
    return asWritten(translatePython(given, program, to, { place: pythonPlace(call), paste }), source, to);
  },
});

/** A translation of a call whose words are written as they were, as far as they could be found in the script. */
function asWritten(translation: Translation, source: Source, to: string): Translation {
  if (translation.kind !== 'instead') return translation;
  const settings = source.settingsLostFor(to);
  return {
    ...translation,
    exact: translation.exact && source.isFaithful && settings.length === 0,
    lost: [...settings, ...translation.lost],
  };
}
