// SPDX-License-Identifier: Apache-2.0
//
// The commands of the tool and what they share.
#ifndef TOTEM_COMMANDS_H
#define TOTEM_COMMANDS_H

// Exit codes, the same for every command; documented by --help and totem(1).
enum {
    TOTEM_EXIT_GOOD    = 0,
    TOTEM_EXIT_FINDING = 1, // the file was read; what it says is wrong, or an expectation was not met
    TOTEM_EXIT_USAGE   = 2,
    TOTEM_EXIT_FILE    = 3 // a file cannot be read or written
};

#define TOTEM_EXIT_TEXT                                                                                                \
    "Exit codes: 0 good; 1 the file is readable but something in it is wrong, or an expectation was not met; 2 wrong " \
    "usage; 3 a file cannot be read or written."

// Each takes its own argc and argv (argv[0] is the name for messages) and returns an exit code.
int totem_command_pm4(int argc, char **argv);
int totem_command_bounce(int argc, char **argv); // totem pm4 bounce
int totem_command_mqd(int argc, char **argv);
int totem_command_task(int argc, char **argv);
int totem_command_run(int argc, char **argv);
int totem_command_picture(int argc, char **argv);
int totem_command_host(int argc, char **argv);

#endif
