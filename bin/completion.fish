# mfano in fish: every command, flag and choice. Made by: mfano completion fish
function __mfano_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    for line in ($typed[1] __complete words $typed[2..-1] "$current" 2>/dev/null)
        if test "$line" = ':files'
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c mfano -f -a '(__mfano_complete)'
