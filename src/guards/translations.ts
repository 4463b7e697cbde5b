import { translateJavaScript } from './javascript-commands.ts';
import { translatePython } from './python-commands.ts';
import { translators } from './translators.ts';

translators.bring({ javascript: translateJavaScript, python: translatePython });
