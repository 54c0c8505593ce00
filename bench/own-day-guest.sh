#!/bin/bash
# What the people of the host of bench/own-day.sh do, within the guest and as root: own-day HOURS SEED. They log in over the loopback, each from
# an address of their own, mistype a password now and then, and administer. Prints the hours that are over, ends with a power-off.
set -u
hours=$1
RANDOM=$2
work=/var/lib/own-day
mkdir -p "$work"
printf '#!/bin/sh\nsed -n 1p %s/answers\nsed -i 1d %s/answers\n' "$work" "$work" >"$work/askpass"
chmod 700 "$work/askpass"
export SSH_ASKPASS=$work/askpass SSH_ASKPASS_REQUIRE=force
options=(-o StrictHostKeyChecking=no -o UserKnownHostsFile="$work/hosts" -o LogLevel=ERROR -o ConnectTimeout=0)
declare -A address=([alice]=127.0.0.11 [bob]=127.0.0.12 [carol]=127.0.0.13 [dave]=127.0.0.14 [backupper]=127.0.0.20)

chance() { [ $((RANDOM % 100)) -lt "$1" ]; }
one() { shift $((RANDOM % $#)) && echo "$1"; }
up() { cut -d. -f1 /proc/uptime; }

# with_key USER COMMAND
with_key() { ssh "${options[@]}" -b "${address[$1]}" "$1@127.0.0.1" "$2" >"$work/out" 2>&1 </dev/null; }

# with_password USER MISTAKES COMMAND: so many wrong passwords before the right one, in one connection; three are all that ssh asks for.
with_password() {
  for ((i = 0; i < $2; i++)); do echo "wrogn-$1"; done >"$work/answers"
  echo "right-$1" >>"$work/answers"
  ssh "${options[@]}" -o PubkeyAuthentication=no -b "${address[$1]:-127.0.0.15}" "$1@127.0.0.1" "$3" >"$work/out" 2>&1 </dev/null
}

mistakes() { if chance 20; then one 1 1 1 2; else echo 0; fi; }

# sudo_as USER COMMAND: as bob with his password for ssh and sudo, at times mistyped, as alice with her key.
sudo_as() {
  local typed="right-$1"
  chance 10 && typed="wrogn-$1\\n$typed"
  local command="printf '$typed\\n' | sudo -S -p '' $2"
  if [ "$1" = alice ]; then with_key alice "$command"; else with_password "$1" "$(mistakes)" "$command"; fi
}
administrator() { one alice bob; }

# Ordinary life. -------------------------------------------------------------------------------------------------------------------------------
visit() {
  local visitor="127.0.1.$((RANDOM % 200 + 1))" page
  for ((i = RANDOM % 5 + 1; i > 0; i--)); do
    page=$(one / / index.html about.html prices.html contact.html favicon.ico robots.txt old-page.html apple-touch-icon.png)
    curl -s -o "$work/page" --interface "$visitor" -A 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' "http://127.0.0.1/${page#/}"
    sleep "0.$((RANDOM % 9))"
  done
}
login_key() { with_key alice "$(one uptime 'df -h' 'ls -l /var/www/html' 'tail -n 3 /var/log/nginx/all.log')"; }
login_password() { with_password "$(one bob carol dave)" "$(mistakes)" "$(one uptime 'ls -la' 'date > noted' 'free -m')"; }
login_forgotten() { with_password "$(one carol dave)" 3 true; }
login_misspelt() { with_password "$(one alcie bobb admin)" "$(one 0 1 2)" true; }
copy() { scp -q "${options[@]}" /etc/services "alice@127.0.0.1:services.$((RANDOM % 9))" >"$work/out" 2>&1 </dev/null; }
restart() { sudo_as "$(administrator)" "systemctl restart $(one nginx nginx cron ssh systemd-journald)"; }
reload() { sudo_as "$(administrator)" 'systemctl reload nginx'; }
look() { sudo_as "$(administrator)" "$(one 'journalctl -n 5 --no-pager' 'systemctl status nginx --no-pager' 'nginx -t' 'du -sh /var/log' 'ss -tlnp' id)"; }
edit() { sudo_as "$(administrator)" "sh -c 'date > /var/www/html/about.html'"; }
not_allowed() { sudo_as "$(one carol dave)" 'systemctl restart nginx'; }
become() { with_password bob 0 "printf '%s\\n' $(one right-dave right-dave wrogn-dave) | su - dave -c id"; }
crontab_of() { with_password carol 0 "echo '$((RANDOM % 60)) 12 * * * ls > listing' | crontab -"; }
package() {
  sudo_as alice 'apt-get update'
  case $(one install remove upgrade) in
    install) sudo_as alice "apt-get install -y house-notes$(one '' =1.0)" ;;
    remove) sudo_as alice 'apt-get remove -y house-notes' ;;
    upgrade) sudo_as alice 'apt-get -y upgrade' ;;
  esac
}
rotate() { sudo_as bob 'logrotate /etc/logrotate.conf'; }
colleagues=0
colleague() {
  local name="colleague$((++colleagues))"
  if chance 50; then sudo_as alice "adduser --quiet --disabled-password --comment $name $name"; else sudo_as alice "useradd -m -s /bin/bash $name"; fi
  sudo_as alice "sh -c 'echo $name:right-$name | chpasswd'"
  sleep 120
  with_password "$name" "$(mistakes)" 'ls -la'
}
leaver() { [ "$colleagues" -gt 0 ] && sudo_as alice "userdel -r colleague$colleagues"; }
new_password() { sudo_as bob "sh -c 'echo carol:right-carol | chpasswd'"; }
backup() { with_key backupper 'tar -cz /etc/hosts /var/www 2>/dev/null | wc -c'; }

by_day=(visit visit visit visit visit visit login_key login_key login_key login_password login_password login_password login_password copy restart
  reload look look look edit edit package not_allowed become crontab_of)
seldom=(login_forgotten login_misspelt colleague colleague leaver rotate new_password package)
# Each once, however the dice fall.
due=(login_forgotten package colleague login_misspelt not_allowed become crontab_of copy restart package rotate colleague new_password leaver edit)

end=$((hours * 3600))
last=-1
while [ "$(up)" -lt "$end" ]; do
  clock=$(date +%-H)
  if [ "$clock" != "$last" ]; then
    last=$clock
    echo "own-day: $(date -Is), $(($(up) / 3600)) hours over"
    [ "$clock" = 3 ] && backup
  fi
  if [ "$clock" -ge 7 ] && [ "$clock" -lt 19 ]; then
    "$(one "${by_day[@]}")"
    if chance 8; then
      "$(one "${seldom[@]}")"
    elif [ "${#due[@]}" -gt 0 ] && chance 40; then
      "${due[0]}"
      due=("${due[@]:1}")
    fi
    pause=$((RANDOM % 660 + 120))
  else
    "$(one visit visit visit login_key)"
    pause=$((RANDOM % 2100 + 600))
  fi
  left=$((end - $(up)))
  [ "$left" -gt 0 ] && sleep "$((pause < left ? pause : left))"
done
echo "own-day: over at $(date -Is)"
sync
systemctl poweroff
