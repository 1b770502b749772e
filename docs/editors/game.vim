" Games as text (docs/games.md): copy to ~/.vim/syntax/game.vim, and add to ~/.vimrc:
"   autocmd BufRead,BufNewFile *.game setfiletype game
if exists("b:current_syntax")
  finish
endif

syntax case match
syntax match gameComment "\(^\|\s\)\zs//.*$"
" What is said in words.
syntax match gameWords "^\s*\(title\|rules\)\s.*$" contains=gameKeyword
syntax match gameKeyword "^\s*\(game\|title\|rules\|board\|cells\|start\|example\|claim\|play\|look\)\>" nextgroup=gameName skipwhite
syntax match gameKeyword "^\s*\(left\|right\|both\|legal\)\s*:"
syntax match gameArrow "->"
syntax match gameSeparator "[;]"
syntax match gameSet "\[[^\]]*\]"
syntax match gameCount "{[^}]*}"
syntax match gameNumber "\<\d\+\>"
syntax keyword gameBoard grid strip hex heap graph edges
syntax keyword gameModifier along slide over repeat pushing if unless beside around neighbours scores per then where in and of octal cut leaves
syntax keyword gameModifier every group touches no divides min max nothing middle
syntax keyword gameWay rows columns orthogonal diagonal queen forward images turns mirrors
syntax keyword gameWay north northeast east southeast south southwest west northwest
syntax keyword gameStart fill checker thirds corners normal misere score transpose swap parts ends cells tiles checkered lines

highlight default link gameComment Comment
highlight default link gameWords String
highlight default link gameKeyword Keyword
highlight default link gameArrow Operator
highlight default link gameSeparator Delimiter
highlight default link gameSet Character
highlight default link gameCount Number
highlight default link gameNumber Number
highlight default link gameBoard Type
highlight default link gameModifier Statement
highlight default link gameWay Constant
highlight default link gameStart Identifier

let b:current_syntax = "game"
